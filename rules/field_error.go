package rules

import "errors"

// A fieldError is a fault in one field of a rule or role: a path like "match[0].at[2]".
type fieldError struct {
	field string
	err   error
}

func (e *fieldError) Error() string { return e.field + ": " + e.err.Error() }
func (e *fieldError) Unwrap() error { return e.err }

// inField puts err below a field.
func inField(field string, err error) error {
	if f, ok := errors.AsType[*fieldError](err); ok {
		return &fieldError{field + "." + f.field, f.err}
	}
	return &fieldError{field, err}
}
