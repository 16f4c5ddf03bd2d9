// Package compile turns a bound query into SQL.
package compile
