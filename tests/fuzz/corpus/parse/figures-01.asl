PROPERTY LC1ReadMissesOverMemRef(SeqPerf s){
CONDITION:
s.lc1_data_read_miss/s.read_access > 0.01;
CONFIDENCE:
1;
SEVERITY:
s.lc1_data_read_miss/s.read_access; }
