// Package pricewatch asks an exchange for prices.
package pricewatch

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// A Desk has a connection to an exchange.
type Desk struct{ conn *grpc.ClientConn }

// Dial connects a desk.
func Dial(address string) (*Desk, error) {
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	return &Desk{conn}, err
}

// Latest is the newest price.
func (d *Desk) Latest(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := d.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, "/exchange.Prices/Watch")
	if err != nil {
		return 0, err
	}
	if err := stream.SendMsg(&emptypb.Empty{}); err != nil {
		return 0, err
	}
	var price wrapperspb.Int64Value
	err = stream.RecvMsg(&price)
	return price.GetValue(), err
}
