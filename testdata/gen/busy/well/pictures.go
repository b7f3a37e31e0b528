package well

import (
	"image"
	"image/color"
	"time"

	"example.com/busy/kit"
)

// scale halves a picture.
func scale(in *image.RGBA) *image.RGBA {
	b := in.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dx()/2, b.Dy()/2))
	for y := range b.Dy() / 2 {
		for x := range b.Dx() / 2 {
			p, q := in.RGBAAt(2*x, 2*y), in.RGBAAt(2*x+1, 2*y+1)
			out.SetRGBA(x, y, color.RGBA{uint8((int(p.R) + int(q.R)) / 2), uint8((int(p.G) + int(q.G)) / 2), p.B, 255})
		}
	}
	return out
}

func pictureScale() {
	kit.Start()
	jobs := make(chan *image.RGBA)
	for range 4 {
		go func() {
			for in := range jobs {
				for in.Bounds().Dx() > 16 {
					in = scale(in)
				}
			}
		}()
	}
	go func() {
		for {
			jobs <- image.NewRGBA(image.Rect(0, 0, 1024, 1024))
			time.Sleep(time.Millisecond)
		}
	}()
	kit.Wait()
}

// frameRing keeps the last frames of a camera, each a buffer that is used again.
func frameRing() {
	kit.Start()
	var ring [12][]byte
	go func() {
		for n := 0; ; n++ {
			frame := &ring[n%len(ring)]
			if *frame == nil {
				*frame = make([]byte, 8<<20)
			}
			shade(*frame, byte(n))
			time.Sleep(15 * time.Millisecond)
		}
	}()
	kit.Wait()
}

// shade draws a frame.
func shade(frame []byte, n byte) {
	for i := range frame {
		frame[i] = byte(i) ^ n
	}
}
