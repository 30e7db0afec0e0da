import { backendInfo } from 'colstore';

const info = backendInfo();
console.log(info.backend, '-', info.reason); // 'native' or 'js', and why
