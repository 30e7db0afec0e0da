// VitePress's own theme with the fonts of the reader's system, and the few rules of style.css.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
