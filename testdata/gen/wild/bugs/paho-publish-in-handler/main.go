// Command paho-publish-in-handler answers measurements of sensors; it plays the broker too.
//
// https://github.com/eclipse/paho.mqtt.golang/issues/474
package main

import (
	"log"
	"net"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"

	"wild/kit"
)

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go broker(listener)
	options := mqtt.NewClientOptions().AddBroker("tcp://" + listener.Addr().String()).SetClientID("answers").
		SetKeepAlive(0).SetAutoReconnect(false)
	client := mqtt.NewClient(options)
	if token := client.Connect(); token.Wait() && token.Error() != nil {
		log.Fatal(token.Error())
	}
	if token := client.Subscribe("measurements", 1, onMessage); token.Wait() && token.Error() != nil {
		log.Fatal(token.Error())
	}
	select {}
}

// broker is the other side.
func broker(listener net.Listener) {
	conn, err := listener.Accept()
	if err != nil {
		log.Fatal(err)
	}
	for {
		packet, err := packets.ReadPacket(conn)
		if err != nil {
			log.Print(err)
			return
		}
		switch p := packet.(type) {
		case *packets.ConnectPacket:
			packets.NewControlPacket(packets.Connack).Write(conn)
		case *packets.SubscribePacket:
			ack := packets.NewControlPacket(packets.Suback).(*packets.SubackPacket)
			ack.MessageID, ack.ReturnCodes = p.MessageID, []byte{1}
			ack.Write(conn)
			go sensors(conn)
		case *packets.PublishPacket:
			time.Sleep(50 * time.Millisecond)
			ack := packets.NewControlPacket(packets.Puback).(*packets.PubackPacket)
			ack.MessageID = p.MessageID
			ack.Write(conn)
		}
	}
}

// sensors send measurements.
func sensors(conn net.Conn) {
	for {
		p := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
		p.TopicName, p.Payload = "measurements", []byte("23.5")
		p.Write(conn)
		time.Sleep(20 * time.Millisecond)
	}
}
