package match

import (
	"errors"
	"fmt"
)

// A FieldError is a fault in one field of a rule or role: a path like "match[0].at[2]".
type FieldError struct {
	Field string
	Err   error
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Err.Error() }

func (e *FieldError) Unwrap() error { return e.Err }

// Fault makes a FieldError of a message.
func Fault(field, format string, args ...any) error {
	return &FieldError{field, fmt.Errorf(format, args...)}
}

// InField puts err below a field.
func InField(field string, err error) error {
	if f, ok := errors.AsType[*FieldError](err); ok {
		return &FieldError{field + "." + f.Field, f.Err}
	}
	return &FieldError{field, err}
}
