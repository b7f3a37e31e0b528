module example.com/release-agent

go 1.26
