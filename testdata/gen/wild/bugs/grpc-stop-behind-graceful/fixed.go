//go:build fixed

package main

import "context"

// ping waits for an answer as long as the one who asked.
func (s *store) ping(ctx context.Context) error {
	select {
	case err := <-s.answers:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
