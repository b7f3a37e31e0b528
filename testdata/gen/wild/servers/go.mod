module wild/servers

go 1.26

require example.com/capture v0.0.0

replace example.com/capture => ../../capture
