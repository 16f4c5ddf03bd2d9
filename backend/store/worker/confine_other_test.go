//go:build !linux

package worker

func confinable() bool { return false }
