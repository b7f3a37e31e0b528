package poller

import "time"

func First(ask ...func() string) string {
	out := make(chan string)
	for _, a := range ask {
		go func() { out <- a() }() // GUILTY
	}
	select {
	case s := <-out:
		return s
	case <-time.After(time.Second):
		return ""
	}
}
