//go:build desktop && !drive

package main

// drive lets a test drive the window; what ships has nothing of the kind.
func drive(*Window) {}
