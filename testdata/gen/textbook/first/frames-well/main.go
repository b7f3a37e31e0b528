// Command frames decodes frames whose length comes from the wire; one that is out of bounds is refused.
package main

import (
	"fmt"
	"time"

	"example.com/textbook/kit"
)

func decode(header []byte) ([]byte, error) {
	n := 0
	for _, b := range header {
		n = n<<8 | int(b)
	}
	if n < 0 || n > 1<<20 {
		return nil, fmt.Errorf("a frame of %d bytes", n)
	}
	return make([]byte, n), nil
}

func main() {
	kit.Start()
	wire := [][]byte{{0, 0, 1, 0}, {0, 0, 4, 0}, {255, 255, 255, 255, 255, 255, 255, 255}}
	for i := 0; ; i++ {
		frame, err := decode(wire[i%len(wire)])
		fmt.Println(len(frame), err)
		time.Sleep(400 * time.Millisecond)
	}
}
