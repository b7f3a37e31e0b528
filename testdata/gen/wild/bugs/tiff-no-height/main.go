// Command tiff-no-height makes thumbnails of scanned pages. One scanner sends pages of height 0 and of the greatest width
// that there is, in tiles of one pixel.
//
// https://github.com/golang/go/issues/61581
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/image/tiff"
	"wild/kit"
)

const (
	maxScan = 8 << 20
	edge    = 64 // of a thumbnail, in pixels
)

// A studio counts its pages.
type studio struct {
	made, refused atomic.Int64
}

// thumb makes the thumbnail of one page, by the nearest pixel.
func thumb(scan []byte) (image.Image, error) {
	page, err := tiff.Decode(bytes.NewReader(scan))
	if err != nil {
		return nil, err
	}
	small := image.NewGray(image.Rect(0, 0, edge, edge))
	b := page.Bounds()
	if b.Empty() {
		return small, nil
	}
	for y := 0; y < edge; y++ {
		for x := 0; x < edge; x++ {
			small.Set(x, y, color.GrayModel.Convert(page.At(b.Min.X+x*b.Dx()/edge, b.Min.Y+y*b.Dy()/edge)))
		}
	}
	return small, nil
}

func (s *studio) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	scan, err := io.ReadAll(io.LimitReader(r.Body, maxScan))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	small, err := thumb(scan)
	if err != nil {
		s.refused.Add(1)
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	fmt.Fprintf(w, "page %d: %v\n", s.made.Add(1), small.Bounds())
}

// header returns a TIFF file with no pixels: gray, in tiles of one pixel.
func header(width, height uint32) []byte {
	const long = 4 // the type of 32-bit values
	entries := [][2]uint32{
		{256, width}, {257, height}, {258, 8}, {259, 1}, {262, 1},
		{322, 1}, {323, 1}, {324, 8}, {325, 0},
	}
	file := append([]byte("II*\x00"), 8, 0, 0, 0)
	file = binary.LittleEndian.AppendUint16(file, uint16(len(entries)))
	for _, e := range entries {
		file = binary.LittleEndian.AppendUint16(file, uint16(e[0]))
		file = binary.LittleEndian.AppendUint16(file, long)
		file = binary.LittleEndian.AppendUint32(file, 1)
		file = binary.LittleEndian.AppendUint32(file, e[1])
	}
	return binary.LittleEndian.AppendUint32(file, 0)
}

// scan sends a page, and the next 100 milliseconds after each answer.
func scan(address string, page []byte) {
	for ; ; time.Sleep(100 * time.Millisecond) {
		response, err := http.Post("http://"+address+"/pages", "image/tiff", bytes.NewReader(page))
		if err != nil {
			log.Print(err)
			continue
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
}

func main() {
	kit.Serve()
	mux := http.NewServeMux()
	mux.Handle("/pages", &studio{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, mux)
	go scan(listener.Addr().String(), header(0x7fffffff, 0))

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
