package bubble

import (
	"testing"
	"testing/synctest"
	"time"
)

func refresh(stop <-chan struct{}, every time.Duration, done chan<- int) {
	n := 0
	for {
		select {
		case <-stop: // GUILTY
			done <- n
			return
		}
	}
}

func TestRefreshStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		go refresh(stop, time.Second, make(chan int))
		time.Sleep(5 * time.Second)
	})
}
