#!/bin/sh
node --test test/*.test.js
