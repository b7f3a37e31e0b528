// Command spool reads 180 jobs from a spool folder whose files are pipes, which are opened without waiting
// and read when there is something.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"example.com/textbook/kit"
)

func read(name string) {
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	buffer := make([]byte, 512)
	for {
		n, err := file.Read(buffer)
		if err != nil && err != io.EOF {
			fmt.Println(err)
			return
		}
		if n == 0 {
			time.Sleep(2 * time.Second)
		}
	}
}

func main() {
	kit.Start()
	dir, err := os.MkdirTemp("", "jobs")
	if err != nil {
		panic(err)
	}
	for i := range 180 {
		name := filepath.Join(dir, fmt.Sprint(i))
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			panic(err)
		}
		go read(name)
	}
	select {}
}
