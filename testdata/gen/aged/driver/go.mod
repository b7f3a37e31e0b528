module aged/driver

go 1.26

require wild/capture v0.0.0

replace wild/capture => ../../wild/capture
