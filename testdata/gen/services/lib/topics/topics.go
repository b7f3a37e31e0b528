// Package topics is a bus: one pump takes what is published and hands it to queues of subscribers.
package topics

// A Bus has one pump.
type Bus struct {
	in   chan int
	subs []chan int
}

// New starts a bus for handlers.
func New(room int, handlers ...func(int)) *Bus {
	b := &Bus{in: make(chan int, room)}
	for _, h := range handlers {
		ch := make(chan int, room)
		b.subs = append(b.subs, ch)
		go b.dispatch(ch, h)
	}
	go b.pump()
	return b
}

func (b *Bus) pump() {
	for n := range b.in {
		for _, ch := range b.subs {
			ch <- n
		}
	}
}

func (b *Bus) dispatch(ch chan int, handle func(int)) {
	for n := range ch {
		handle(n)
	}
}

// Publish puts a value on the bus.
func (b *Bus) Publish(n int) { b.in <- n }
