package statements

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
)

// ledger is a driver for a database that speaks lines: a query is answered by a line.
type ledger struct{ address string }

func (l ledger) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", l.address)
	return &session{conn}, err
}

func (l ledger) Driver() driver.Driver { return nil }

type session struct{ net.Conn }

func (s *session) Prepare(string) (driver.Stmt, error) { return nil, errors.ErrUnsupported }
func (s *session) Begin() (driver.Tx, error)           { return nil, errors.ErrUnsupported }

func (s *session) QueryContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	if _, err := io.WriteString(s, query+"\n"); err != nil {
		return nil, driver.ErrBadConn
	}
	var line [1]byte
	if _, err := s.Read(line[:]); err != nil {
		return nil, driver.ErrBadConn
	}
	return &rows{left: 1}, nil
}

type rows struct{ left int64 }

func (r *rows) Columns() []string { return []string{"sum"} }
func (r *rows) Close() error      { return nil }

func (r *rows) Next(values []driver.Value) error {
	if r.left == 0 {
		return io.EOF
	}
	values[0] = r.left
	r.left--
	return nil
}
