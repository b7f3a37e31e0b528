//go:build fixed

package main

// finish ends a recording: the pipe is closed, and the file when all is sent.
func finish(r *recording) error {
	if err := r.sink.Close(); err != nil {
		return err
	}
	if err := <-r.result; err != nil {
		return err
	}
	return r.file.Close()
}
