// Package media converts videos.
package media

import (
	"errors"
	"time"
)

var errHeader = errors.New("broken header")

// A Converter works on some videos at a time.
type Converter struct{ slots chan struct{} }

// New is a converter for n videos at a time.
func New(n int) *Converter { return &Converter{slots: make(chan struct{}, n)} }

// Convert converts one video.
func (c *Converter) Convert(video string) error {
	c.acquire()
	if video == "0" {
		return errHeader
	}
	time.Sleep(60 * time.Millisecond)
	c.release()
	return nil
}

func (c *Converter) acquire() { c.slots <- struct{}{} }

func (c *Converter) release() { <-c.slots }
