// Package probe asks the two sides of a service whether they are well.
package probe

import "errors"

var errDown = errors.New("down")

// Start probes seven services.
func Start() {
	for i := 0; i < 7; i++ {
		Service("north", "south")
	}
}

// Service probes two endpoints and is content with the first error.
func Service(a, b string) error {
	errs := make(chan error)
	go dial(a, errs)
	go dial(b, errs)
	for i := 0; i < 2; i++ {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

func dial(endpoint string, errs chan<- error) {
	if endpoint == "" {
		errs <- nil
		return
	}
	errs <- errDown
}
