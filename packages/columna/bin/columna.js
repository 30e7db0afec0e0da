#!/usr/bin/env node
// The command; what it does is in ../src/cli.
import '../dist/command.js';
