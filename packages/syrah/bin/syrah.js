#!/usr/bin/env node
// The command; what it does is in ../src/command.
import '../dist/command.js';
