//go:build !fixed

package main

// finish ends a recording: the file is closed, then the pipe.
func finish(r *recording) error {
	if err := r.file.Close(); err != nil {
		return err
	}
	if err := r.sink.Close(); err != nil {
		return err
	}
	return <-r.result
}
