//go:build fixed

package main

import mqtt "github.com/eclipse/paho.mqtt.golang"

// onMessage answers a measurement.
func onMessage(client mqtt.Client, m mqtt.Message) {
	go client.Publish("answers", 1, false, m.Payload())
}
