// Command frames decodes frames whose length comes from the wire: a broken one asks for a slice of minus one
// bytes.
package main

import (
	"fmt"
	"time"
)

func decode(header []byte) ([]byte, error) {
	n := 0
	for _, b := range header {
		n = n<<8 | int(b)
	}
	return make([]byte, n), nil
}

func main() {
	wire := [][]byte{{0, 0, 1, 0}, {0, 0, 4, 0}, {255, 255, 255, 255, 255, 255, 255, 255}}
	for i := 0; ; i++ {
		frame, err := decode(wire[i%len(wire)])
		fmt.Println(len(frame), err)
		time.Sleep(400 * time.Millisecond)
	}
}
