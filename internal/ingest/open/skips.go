package open

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// An orderedSkip is a Skip with its place.
type orderedSkip struct {
	at Order
	Skip
}

// inOrder sorts skips as they lie in the inputs.
func inOrder(all []orderedSkip) []Skip {
	slices.SortStableFunc(all, func(a, b orderedSkip) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	out := make([]Skip, len(all))
	for i := range all {
		out[i] = all[i].Skip
	}
	return out
}

// ReasonOf explains why a path can't be opened, without the path.
func ReasonOf(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

// HintOf suggests what to do about a path that can't be opened, "" where nothing is known to help.
func HintOf(path string, err error) string {
	switch {
	case strings.Contains(path, "://"):
		return "triage fetch URL captures what a pprof port serves; anything else goes into a file first"
	case errors.Is(err, fs.ErrPermission):
		return "read it as a user that may, or copy it first"
	case errors.Is(err, fs.ErrNotExist):
		return "check the path"
	}
	return ""
}
