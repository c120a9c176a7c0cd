<?xml version="1.0" encoding="UTF-8"?>
<Experiment xmlns="http://www.lrr.in.tum.de/Periscope" xmlns:pc="urn:periscope-c:report:1">
  <date>2023-11-14</date>
  <time>22:13:20</time>
  <numProcs>1</numProcs>
  <numThreads>2</numThreads>
  <dir>/</dir>
  <sir>heat</sir>
  <property cluster="false" ID="0">
    <name>MemoryStallOfData</name>
    <context FileID="1" FileName="heat.f90" RFL="1" Config="1x2" Region="DATA_STRUCTURE" RegionId="1-1">
      <execObj process="0" thread="0"/>
    </context>
    <severity>36.00</severity>
    <confidence>1.00</confidence>
    <addInfo>
      <Rate>0</Rate>
      <TimeShare>0.5</TimeShare>
      <EstStallShare>0.36</EstStallShare>
      <pc:figures property="MemoryStallOfData" refines="MemoryStall" file="memory.asl" line="0" number="0" severity="0.036" severity_is_time="1" severity_is_index="0" severity_share="0.36" severity_max_share="0" measure="0" confidence="1" time_share="0.5" est_stall_share="0.36" est_stall_low_share="0" est_stall_high_share="0.93" kind="strided" severity_error="0" measure_error="0" est_stall_error="0" coverage="1" unwarmed="0" all_callers="0" over_processes="0" why="the accesses go in large steps" advice="let the innermost loop run over the index that is contiguous in memory" about="memory" first_line="0" last_line="0" place_line="0" processes="0" ranks=""/>
      <pc:path>
        <pc:node type="LOOP_REGION" name="" file="heat.f90" line="10" phase="0" holds="1"/>
        <pc:node type="LOOP_REGION" name="" file="heat.f90" line="20" phase="0" holds="1"/>
        <pc:node type="DATA_STRUCTURE" name="picture" file="heat.f90" line="1" phase="0" holds="1"/>
      </pc:path>
    </addInfo>
  </property>
  <property cluster="false" ID="0">
    <name>FalseSharingOfData</name>
    <context FileID="1" FileName="heat.f90" RFL="1" Config="1x2" Region="DATA_STRUCTURE" RegionId="1-1">
      <execObj process="0" thread="0"/>
    </context>
    <severity>10.00</severity>
    <confidence>1.00</confidence>
    <addInfo>
      <Rate>0</Rate>
      <TimeShare>0.5</TimeShare>
      <EstStallShare>0</EstStallShare>
      <pc:figures property="FalseSharingOfData" file="memory.asl" line="0" number="0" severity="0" severity_is_time="1" severity_is_index="0" severity_share="0.1" severity_max_share="0" measure="0" confidence="1" time_share="0.5" est_stall_share="0" est_stall_low_share="0" est_stall_high_share="0.9" kind="sharing" severity_error="0" measure_error="0" est_stall_error="0" coverage="1" unwarmed="0" all_callers="0" over_processes="0" why="threads use different bytes of a line" advice="pad or align tally, so that each has lines of its own" about="memory" first_line="0" last_line="0" place_line="0" processes="0" ranks=""/>
      <pc:path>
        <pc:node type="LOOP_REGION" name="" file="heat.f90" line="10" phase="0" holds="1"/>
        <pc:node type="LOOP_REGION" name="" file="heat.f90" line="30" phase="0" holds="1"/>
        <pc:node type="DATA_STRUCTURE" name="tally" file="heat.f90" line="1" phase="0" holds="1"/>
      </pc:path>
      <pc:use line="1" threads="2" thread="0" writes="1" first="0" last="7"/>
      <pc:use line="1" threads="2" thread="1" writes="1" first="8" last="15"/>
    </addInfo>
  </property>
  <property cluster="false" ID="0">
    <name>MemoryStall</name>
    <context FileID="1" FileName="heat.f90" RFL="10" Config="1x2" Region="LOOP_REGION" RegionId="1-10">
      <execObj process="0" thread="0"/>
    </context>
    <severity>0.00</severity>
    <confidence>1.00</confidence>
    <addInfo>
      <Rate>0</Rate>
      <TimeShare>0.5</TimeShare>
      <EstStallShare>0</EstStallShare>
      <pc:figures property="MemoryStall" file="memory.asl" line="0" number="0" severity="0" severity_is_time="1" severity_is_index="0" severity_share="0" severity_max_share="0" measure="0" confidence="1" time_share="0.5" est_stall_share="0" est_stall_low_share="0" est_stall_high_share="0" kind="strided" severity_error="0" measure_error="0" est_stall_error="0" coverage="1" unwarmed="0" all_callers="0" over_processes="0" about="memory" first_line="0" last_line="0" place_line="0" processes="0" ranks=""/>
      <pc:path>
        <pc:node type="LOOP_REGION" name="" file="heat.f90" line="10" phase="0" holds="1"/>
      </pc:path>
    </addInfo>
  </property>
  <pc:report version="0" command="./heat" directory="/" executable="heat" when="1700000000" nprocs="1" nthreads="2" hosts="0" phase_time="0.1" phase_executions="9" executions_used="5" experiments="0" runs="0" strategy="share" properties="memory, sharing" stall_cycles="1000000" rank_by_stall="0" thread_rows_left_out="0">
    <pc:phase type="LOOP_REGION" name="" file="heat.f90" line="10" phase="0" holds="0" measure="0" measure_error="0" time="0" cpu_time="0.1" est_stall="0.036" est_stall_low="0" est_stall_high="0.095" memory_time="0.1" core_time="0.05" branch_time="0"/>
    <pc:gain structure="picture" fix="dense" change="every byte of a line used" least="0" most="200000" time_share="0.3"/>
    <pc:gain structure="tally" fix="pad" change="each thread's part on cache lines of its own" least="0" most="0" time_share="0"/>
  </pc:report>
</Experiment>
