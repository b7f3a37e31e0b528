package fetch

import (
	"context"
	"errors"
	"fmt"
)

// An Error is why a capture could not be made, and what to do about it.
type Error struct {
	Err  error
	Hint string
	// Usage reports that the options are wrong, and that nothing was asked.
	Usage bool
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

func hinted(hint, format string, args ...any) error {
	return &Error{Err: fmt.Errorf(format, args...), Hint: hint}
}

func usage(hint, format string, args ...any) error {
	return &Error{Err: fmt.Errorf(format, args...), Hint: hint, Usage: true}
}

// Causes with which this package ends a context.
var (
	errTimeout     = errors.New("the time limit for the whole capture has passed (--timeout)")
	errInterrupted = errors.New("interrupted")
)

// cause returns why ctx ended, or err if it has not ended.
func cause(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	if c := context.Cause(ctx); c != nil && !errors.Is(c, context.Canceled) {
		return c
	}
	return errInterrupted
}
