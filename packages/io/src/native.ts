// The only importer of @colkit/native.
import type { Mapping } from '@colkit/native';

export type NativeMapping = Mapping;
