
+process_cpu:cpu:nanoseconds:cpu:nanoseconds${service_name="shop", pod=~"web-.*"}€ôïû¬3 €ÑËý¬3