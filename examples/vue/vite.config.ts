import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

const isCustomElement = (tag: string) => tag === 'connector-auth';

export default defineConfig({ plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] });
