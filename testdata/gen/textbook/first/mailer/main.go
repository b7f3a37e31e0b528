// Command mailer sends mails; a mail that is refused is tried again after ten minutes, and the lock is held
// meanwhile.
package main

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"example.com/textbook/kit"
)

var errRefused = errors.New("451 try again later")

type mailer struct {
	mu   sync.Mutex
	sent int
}

func (m *mailer) send(to string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for deliver(to) != nil {
		time.Sleep(10 * time.Minute)
	}
	m.sent++
}

func deliver(to string) error {
	time.Sleep(30 * time.Millisecond)
	if to == "box7@example.com" {
		return errRefused
	}
	return nil
}

func main() {
	kit.Start()
	var m mailer
	for i := range 20 {
		go func() {
			for {
				m.send(fmt.Sprintf("box%d@example.com", i))
				time.Sleep(200 * time.Millisecond)
			}
		}()
	}
	select {}
}
