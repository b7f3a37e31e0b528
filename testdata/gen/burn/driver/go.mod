module example.com/burndriver

go 1.26
