package main

import "time"

// startDevices starts n devices that report to one channel, from a goroutine that ends.
func startDevices(n int) <-chan int {
	samples := make(chan int)
	go func() {
		for i := 0; i < n; i++ {
			go report(i, samples)
		}
	}()
	return samples
}

func report(device int, samples chan<- int) {
	for {
		samples <- device
		time.Sleep(time.Millisecond)
	}
}

func collect(samples <-chan int) {
	for range samples {
		time.Sleep(4 * time.Millisecond)
	}
}

// startNumbering returns generators: each hands out its numbers over a channel of its own to whoever asks.
func startNumbering(n int) []<-chan int {
	var ranges []<-chan int
	for i := 0; i < n; i++ {
		ranges = append(ranges, numbers(i*1000))
	}
	return ranges
}

func numbers(from int) <-chan int {
	out := make(chan int)
	go func() {
		for n := from; ; n++ {
			out <- n
		}
	}()
	return out
}

// number takes one number after the other, slowly: a generator waits more than a second to be asked again.
func number(ranges []<-chan int) {
	for {
		for _, numbers := range ranges {
			<-numbers
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// startSerials makes serial numbers that are rarely asked for: the generators stand in their send for minutes.
func startSerials(kinds ...string) {
	serials := make([]<-chan int, len(kinds))
	for i := range kinds {
		serials[i] = numbers(1)
	}
	go func() {
		for {
			for _, numbers := range serials {
				time.Sleep(4 * time.Minute)
				<-numbers
			}
		}
	}()
}
