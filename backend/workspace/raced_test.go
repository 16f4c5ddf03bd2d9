//go:build race

package workspace

const raced = true
