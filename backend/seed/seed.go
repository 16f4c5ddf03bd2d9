//go:build never

// Package seed keeps the modules of what is being built in go.mod; it goes when the last of them is imported.
package seed

import (
	_ "filippo.io/age"
	_ "github.com/zalando/go-keyring"
	_ "go.starlark.net/starlark"
	_ "golang.org/x/crypto/chacha20poly1305"
)
