package well

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"example.com/busy/kit"
)

// topicBroker passes messages on, and drops what a subscriber has no room for.
func topicBroker() {
	kit.Start()
	var subscribers []chan int
	for range 20 {
		s := make(chan int, 16)
		subscribers = append(subscribers, s)
		go func() {
			sum := 0
			for m := range s {
				sum += m
			}
		}()
	}
	go func() {
		for n := 0; ; n++ {
			for _, s := range subscribers {
				select {
				case s <- n:
				default:
				}
			}
			if n%50 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
	}()
	kit.Wait()
}

// fastTicks samples a sensor each millisecond.
func fastTicks() {
	kit.Start()
	for range 4 {
		go func() {
			tick := time.NewTicker(time.Millisecond)
			level := 0.0
			for now := range tick.C {
				level = level*0.9 + math.Sin(float64(now.UnixMilli()))*0.1
			}
		}()
	}
	kit.Wait()
}

// A Wheel has timers in slots.
type Wheel struct {
	mu    sync.Mutex
	slots [256][]func()
	at    int
}

// turn moves the wheel a slot each millisecond.
func (w *Wheel) turn() {
	for range time.Tick(time.Millisecond) {
		w.mu.Lock()
		due := w.slots[w.at]
		w.slots[w.at] = nil
		w.at = (w.at + 1) % len(w.slots)
		w.mu.Unlock()
		for _, f := range due {
			f()
		}
	}
}

// add calls f after some slots.
func (w *Wheel) add(after int, f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := (w.at + after) % len(w.slots)
	w.slots[i] = append(w.slots[i], f)
}

func timerWheel() {
	kit.Start()
	w := &Wheel{}
	var again func()
	var fired atomic.Int64
	again = func() {
		w.add(int(fired.Add(1)%200)+1, again)
	}
	for range 20000 {
		again()
	}
	go w.turn()
	kit.Wait()
}
