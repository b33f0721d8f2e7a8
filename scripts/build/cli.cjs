#!/usr/bin/env node
// What is installed as `holdfast`. In syntax that every Node reads: one that is too old for the rest gets this far.
"use strict";

void require("./chunks/entry.cjs").begin(process.argv.slice(2));
