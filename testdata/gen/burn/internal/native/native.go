// Package native calls C for every item. It is built with the tag c, since it needs a C compiler.
package native
