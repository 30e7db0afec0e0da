// What VitePress reads; everything is in site/, where the linter and the type checker look.
import { defineConfig } from 'vitepress';
import { siteConfig } from '../site/config.ts';

export default defineConfig(siteConfig());
