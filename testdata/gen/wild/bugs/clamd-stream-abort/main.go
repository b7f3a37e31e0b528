// Command clamd-stream-abort looks for viruses in uploads; it plays the scanner too.
//
// https://github.com/dutchcoders/go-clamd/issues/9
package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"log"
	"net"
	"strings"
	"time"

	"github.com/dutchcoders/go-clamd"

	"wild/kit"
)

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go scanner(listener)
	scans := clamd.NewClamd("tcp://" + listener.Addr().String())
	for range time.Tick(400 * time.Millisecond) {
		if result := scan(scans, "an upload"); result.Status != clamd.RES_OK {
			log.Print(result.Raw)
		}
	}
}

// scan looks into one upload.
func scan(scans *clamd.Clamd, upload string) *clamd.ScanResult {
	abort := make(chan bool)
	defer scanned(abort)
	results, err := scans.ScanStream(strings.NewReader(upload), abort)
	if err != nil {
		log.Fatal(err)
	}
	result := <-results
	for range results {
	}
	return result
}

// scanner finds nothing.
func scanner(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		r := bufio.NewReader(conn)
		r.ReadString('\n')
		for {
			var size uint32
			if err := binary.Read(r, binary.BigEndian, &size); err != nil || size == 0 {
				break
			}
			io.CopyN(io.Discard, r, int64(size))
		}
		io.WriteString(conn, "stream: OK\n")
		conn.Close()
	}
}
