// Command profilestore answers as Pyroscope does, with the messages and handlers of its own API module: tests of triage
// ask it, so that what triage sends and reads is what that module defines. It stores nothing: DIR holds the profiles,
// cpu.pb.gz, heap.pb.gz and so on, of one program with the labels of SELECTOR.
//
//	profilestore ADDRESS DIR SELECTOR
package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"connectrpc.com/connect"
	googlev1 "github.com/grafana/pyroscope/api/gen/proto/go/google/v1"
	querierv1 "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/querier/v1/querierv1connect"
	typesv1 "github.com/grafana/pyroscope/api/gen/proto/go/types/v1"
	"google.golang.org/protobuf/proto"
)

// files are the types of profiles, by file.
var files = map[string]string{
	"cpu.pb.gz":       "process_cpu:cpu:nanoseconds:cpu:nanoseconds",
	"heap.pb.gz":      "memory:inuse_space:bytes:space:bytes",
	"allocs.pb.gz":    "memory:alloc_space:bytes:space:bytes",
	"mutex.pb.gz":     "mutex:delay:nanoseconds:contentions:count",
	"block.pb.gz":     "block:delay:nanoseconds:contentions:count",
	"goroutine.pb.gz": "goroutine:goroutine:count:goroutine:count",
}

type server struct {
	querierv1connect.UnimplementedQuerierServiceHandler
	dir, selector string
}

func (s server) has(id string) (path string, ok bool) {
	for file, of := range files {
		path = filepath.Join(s.dir, file)
		if _, err := os.Stat(path); of == id && err == nil {
			return path, true
		}
	}
	return "", false
}

func (s server) ProfileTypes(
	_ context.Context, r *connect.Request[querierv1.ProfileTypesRequest],
) (*connect.Response[querierv1.ProfileTypesResponse], error) {
	if r.Msg.Start <= 0 || r.Msg.End <= r.Msg.Start {
		return nil, connect.NewError(connect.CodeInvalidArgument, errors.New("no time"))
	}
	answer := &querierv1.ProfileTypesResponse{}
	for _, id := range files {
		if _, ok := s.has(id); ok {
			answer.ProfileTypes = append(answer.ProfileTypes, &typesv1.ProfileType{ID: id})
		}
	}
	return connect.NewResponse(answer), nil
}

func (s server) SelectMergeProfile(
	_ context.Context, r *connect.Request[querierv1.SelectMergeProfileRequest],
) (*connect.Response[googlev1.Profile], error) {
	path, ok := s.has(r.Msg.ProfileTypeID)
	if !ok || len(r.Msg.ProtoReflect().GetUnknown()) > 0 {
		return nil, connect.NewError(connect.CodeInvalidArgument, fmt.Errorf("no type %q", r.Msg.ProfileTypeID))
	}
	last := time.Now().Add(-time.Minute).UnixMilli() // when the program was last profiled
	if r.Msg.LabelSelector != s.selector || last < r.Msg.Start || last > r.Msg.End {
		return connect.NewResponse(&googlev1.Profile{}), nil
	}
	p := &googlev1.Profile{}
	return connect.NewResponse(p), read(path, p)
}

func read(path string, into proto.Message) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		return err
	}
	return proto.Unmarshal(data, into)
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: profilestore ADDRESS DIR SELECTOR")
		os.Exit(2)
	}
	mux := http.NewServeMux()
	mux.Handle(querierv1connect.NewQuerierServiceHandler(server{dir: os.Args[2], selector: os.Args[3]}))
	fmt.Fprintln(os.Stderr, http.ListenAndServe(os.Args[1], mux))
	os.Exit(1)
}
