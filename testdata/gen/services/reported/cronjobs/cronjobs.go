// Package cronjobs runs jobs with a timeout.
package cronjobs

import (
	"time"

	"example.com/services/kit"
	"example.net/lib/shell"
)

func run() error {
	time.Sleep(300 * time.Millisecond)
	return nil
}

func nightly() error {
	time.Sleep(25 * time.Second)
	return nil
}

func Main(fixed bool) {
	kit.Start()
	for {
		if fixed {
			go shell.WaitTimeout(nightly, time.Minute)
		} else {
			shell.WaitTimeout(run, 100*time.Millisecond)
		}
		time.Sleep(900 * time.Millisecond)
	}
}
