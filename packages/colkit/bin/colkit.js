#!/usr/bin/env node
// The command; what it does is in ../src.
import '../dist/command.js';
