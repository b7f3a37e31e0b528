// Package callcenter follows calls of switchboards.
package callcenter

import (
	"time"

	"example.com/services/kit"
	"example.net/lib/esl"
)

func follow(lasts time.Duration, read bool) {
	c := esl.Dial(lasts)
	time.Sleep(20 * time.Second)
	if read {
		c.Read()
	}
}

func Main(fixed bool) {
	kit.Start()
	if fixed {
		for {
			go follow(time.Second, true)
			time.Sleep(2 * time.Second)
		}
	}
	for range 7 {
		esl.Dial(time.Millisecond)
		time.Sleep(700 * time.Millisecond)
	}
	kit.Wait()
}
