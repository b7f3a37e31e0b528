// Package bus passes messages to those who asked for them.
package bus

import "time"

// A Bus passes messages.
type Bus struct{ all []func(string) }

// OnMessage adds a receiver.
func (b *Bus) OnMessage(f func(string)) { b.all = append(b.all, f) }

// Run passes a message now and then.
func (b *Bus) Run() {
	for {
		time.Sleep(20 * time.Minute)
		for _, f := range b.all {
			f("order")
		}
	}
}
