<?xml version="1.0" encoding="UTF-8"?>
<Experiment xmlns="http://www.lrr.in.tum.de/Periscope" xmlns:pc="urn:periscope-c:report:1">
  <date>2008-03-13</date>
  <time>16:00:00</time>
  <numProcs>1</numProcs>
  <numThreads>4</numThreads>
  <dir>examples/lu</dir>
  <sir>./lu.A</sir>
  <property cluster="false" ID="5">
    <name>LC3DMissRate</name>
    <context FileID="1" FileName="buts.f" RFL="75" Config="1x4" Region="WORKSHARE_DO" RegionId="1-75">
      <execObj process="0" thread="0"/>
    </context>
    <severity>1.09</severity>
    <confidence>1.00</confidence>
    <addInfo>
      <Rate>0.054</Rate>
      <TimeShare>0.20145631067961167</TimeShare>
      <EstStallShare>0.05112961165048544</EstStallShare>
      <pc:figures property="LC3DMissRate" file="memory.asl" line="41" number="5" severity="0.004482" severity_is_time="1" severity_is_index="1" severity_share="0.01087864077669903" severity_max_share="0.01087864077669903" measure="0.054" confidence="1" time_share="0.20145631067961167" est_stall_share="0.05112961165048544" est_stall_low_share="0.02556480582524272" est_stall_high_share="0.07669441747572817" own_stall_share="0.02745849514563107" own_stall_low_share="0.013729247572815535" own_stall_high_share="0.04118774271844661" kind="stream" severity_error="0" measure_error="0" est_stall_error="0" coverage="1" unwarmed="0" scalar="0" all_callers="0" over_processes="0" rank_figures="0" figures_rank="0" about="memory" first_line="0" last_line="0" place_line="0" problem="2" processes="1" ranks="0"/>
      <pc:path>
        <pc:node type="USER_REGION" name="" file="ssor.f" line="109" argument="0" phase="1" holds="1" measure="0.038" measure_error="0" time="0.412"/>
        <pc:node type="PARALLEL_REGION" name="" file="ssor.f" line="120" argument="0" phase="0" holds="1" measure="0.038" measure_error="0" time="0.41"/>
        <pc:node type="LOOP_REGION" name="" file="ssor.f" line="184" argument="0" phase="0" holds="1" measure="0.037" measure_error="0" time="0.108"/>
        <pc:node type="CALL_REGION" name="buts" file="ssor.f" line="200" argument="0" phase="0" holds="1" measure="0.051" measure_error="0" time="0.084"/>
        <pc:node type="SUB_REGION" name="buts" file="buts.f" line="4" argument="0" phase="0" holds="1" measure="0.051" measure_error="0" time="0.084"/>
        <pc:node type="WORKSHARE_DO" name="" file="buts.f" line="75" argument="0" phase="0" holds="1" measure="0.054" measure_error="0" time="0.083"/>
      </pc:path>
    </addInfo>
  </property>
  <property cluster="false" ID="5">
    <name>LC3DMissRate</name>
    <context FileID="2" FileName="ssor.f" RFL="4" Config="1x4" Region="DATA_STRUCTURE" RegionId="2-4">
      <execObj process="0" thread="0"/>
    </context>
    <severity>0.93</severity>
    <confidence>1.00</confidence>
    <addInfo>
      <Rate>0.062</Rate>
      <TimeShare>0.1504854368932039</TimeShare>
      <EstStallShare>0.04385145631067962</EstStallShare>
      <pc:figures property="LC3DMissRate" file="memory.asl" line="41" number="5" severity="0.003844" severity_is_time="1" severity_is_index="1" severity_share="0.009330097087378642" severity_max_share="0.009330097087378642" measure="0.062" confidence="1" time_share="0.1504854368932039" est_stall_share="0.04385145631067962" est_stall_low_share="0.02192572815533981" est_stall_high_share="0.06577718446601943" kind="stream" severity_error="0" measure_error="0" est_stall_error="0" coverage="1" unwarmed="0" scalar="0" all_callers="0" over_processes="0" rank_figures="0" figures_rank="0" about="memory" first_line="0" last_line="0" place_line="0" problem="1" processes="1" ranks="0"/>
      <pc:path>
        <pc:node type="USER_REGION" name="" file="ssor.f" line="109" argument="0" phase="1" holds="1" measure="0.038" measure_error="0" time="0.412"/>
        <pc:node type="PARALLEL_REGION" name="" file="ssor.f" line="120" argument="0" phase="0" holds="1" measure="0.038" measure_error="0" time="0.41"/>
        <pc:node type="WORKSHARE_DO" name="" file="ssor.f" line="221" argument="0" phase="0" holds="1" measure="0.039" measure_error="0" time="0.062"/>
        <pc:node type="DATA_STRUCTURE" name="rsd" scope="COMMON cvar" file="ssor.f" line="4" argument="0" phase="0" holds="1" measure="0.062" measure_error="0"/>
      </pc:path>
    </addInfo>
  </property>
  <property cluster="false" ID="5">
    <name>LC3DMissRate</name>
    <context FileID="1" FileName="buts.f" RFL="4" Config="1x4" Region="DATA_STRUCTURE" RegionId="1-4">
      <execObj process="0" thread="0"/>
    </context>
    <severity>0.50</severity>
    <confidence>1.00</confidence>
    <addInfo>
      <Rate>0.025</Rate>
      <TimeShare>0.20145631067961167</TimeShare>
      <EstStallShare>0.023671116504854373</EstStallShare>
      <pc:figures property="LC3DMissRate" file="memory.asl" line="41" number="5" severity="0.0020750000000000005" severity_is_time="1" severity_is_index="1" severity_share="0.005036407766990292" severity_max_share="0.005036407766990292" measure="0.025" confidence="1" time_share="0.20145631067961167" est_stall_share="0.023671116504854373" est_stall_low_share="0.011835558252427186" est_stall_high_share="0.03550667475728156" kind="stream" severity_error="0" measure_error="0" est_stall_error="0" coverage="1" unwarmed="0" scalar="0" all_callers="0" over_processes="0" why="v is read and written once per sweep in steps of one element" advice="fuse the sweep with its neighbour, or block over k, so that a plane of rsd stays in the cache." rank_figures="0" figures_rank="0" about="memory" first_line="0" last_line="0" place_line="91" problem="2" processes="1" ranks="0"/>
      <pc:path>
        <pc:node type="USER_REGION" name="" file="ssor.f" line="109" argument="0" phase="1" holds="1" measure="0.038" measure_error="0" time="0.412"/>
        <pc:node type="PARALLEL_REGION" name="" file="ssor.f" line="120" argument="0" phase="0" holds="1" measure="0.038" measure_error="0" time="0.41"/>
        <pc:node type="LOOP_REGION" name="" file="ssor.f" line="184" argument="0" phase="0" holds="1" measure="0.037" measure_error="0" time="0.10790000000000001"/>
        <pc:node type="CALL_REGION" name="buts" file="ssor.f" line="200" argument="0" phase="0" holds="1" measure="0.051" measure_error="0" time="0.08383"/>
        <pc:node type="SUB_REGION" name="buts" file="buts.f" line="4" argument="0" phase="0" holds="1" measure="0.051" measure_error="0" time="0.08383"/>
        <pc:node type="WORKSHARE_DO" name="" file="buts.f" line="75" argument="0" phase="0" holds="1" measure="0.054" measure_error="0" time="0.083"/>
        <pc:node type="DATA_STRUCTURE" name="v" alias_of="rsd" scope="COMMON cvar" file="buts.f" line="4" argument="0" phase="0" holds="1" measure="0.025" measure_error="0"/>
      </pc:path>
      <pc:line line="91" first_misses="700000" last_misses="200000"/>
      <pc:line line="84" first_misses="900000" last_misses="150000"/>
      <pc:line line="0" first_misses="10000" last_misses="5000"/>
    </addInfo>
  </property>
  <property cluster="false" ID="5">
    <name>LC3DMissRate</name>
    <context FileID="2" FileName="ssor.f" RFL="4" Config="1x4" Region="DATA_STRUCTURE" RegionId="2-4">
      <execObj process="0" thread="0"/>
    </context>
    <severity>0.47</severity>
    <confidence>1.00</confidence>
    <addInfo>
      <Rate>0.031</Rate>
      <TimeShare>0.1504854368932039</TimeShare>
      <EstStallShare>0.02192572815533981</EstStallShare>
      <pc:figures property="LC3DMissRate" file="memory.asl" line="41" number="5" severity="0.001922" severity_is_time="1" severity_is_index="1" severity_share="0.004665048543689321" severity_max_share="0.004665048543689321" measure="0.031" confidence="1" time_share="0.1504854368932039" est_stall_share="0.02192572815533981" est_stall_low_share="0.010962864077669904" est_stall_high_share="0.03288859223300972" kind="stream" severity_error="0" measure_error="0" est_stall_error="0" coverage="1" unwarmed="0" scalar="0" all_callers="0" over_processes="0" rank_figures="0" figures_rank="0" about="memory" first_line="0" last_line="0" place_line="0" problem="1" processes="1" ranks="0"/>
      <pc:path>
        <pc:node type="USER_REGION" name="" file="ssor.f" line="109" argument="0" phase="1" holds="1" measure="0.038" measure_error="0" time="0.412"/>
        <pc:node type="PARALLEL_REGION" name="" file="ssor.f" line="120" argument="0" phase="0" holds="1" measure="0.038" measure_error="0" time="0.41"/>
        <pc:node type="WORKSHARE_DO" name="" file="ssor.f" line="221" argument="0" phase="0" holds="1" measure="0.039" measure_error="0" time="0.062"/>
        <pc:node type="DATA_STRUCTURE" name="u" scope="COMMON cvar" file="ssor.f" line="4" argument="0" phase="0" holds="1" measure="0.031" measure_error="0"/>
      </pc:path>
    </addInfo>
  </property>
  <property cluster="false" ID="6">
    <name>LC3DReadMissRate</name>
    <context FileID="2" FileName="ssor.f" RFL="4" Config="1x4" Region="DATA_STRUCTURE" RegionId="2-4">
      <execObj process="0" thread="0"/>
    </context>
    <severity>0.47</severity>
    <confidence>0.93</confidence>
    <addInfo>
      <Rate>0.031</Rate>
      <TimeShare>0.1504854368932039</TimeShare>
      <EstStallShare>0.02192572815533981</EstStallShare>
      <pc:figures property="LC3DReadMissRate" refines="LC3DMissRate" file="memory.asl" line="52" number="6" severity="0.001922" severity_is_time="1" severity_is_index="1" severity_share="0.004665048543689321" severity_max_share="0.004665048543689321" measure="0.031" confidence="0.93" time_share="0.1504854368932039" est_stall_share="0.02192572815533981" est_stall_low_share="0.010962864077669904" est_stall_high_share="0.03288859223300972" own_stall_share="0" own_stall_low_share="0" own_stall_high_share="0" kind="stream" severity_error="0" measure_error="0" est_stall_error="0" coverage="0.03125" unwarmed="0" scalar="0" all_callers="0" over_processes="0" rank_figures="0" figures_rank="0" about="memory" first_line="0" last_line="0" place_line="0" problem="1" processes="1" ranks="0"/>
      <pc:path>
        <pc:node type="USER_REGION" name="" file="ssor.f" line="109" argument="0" phase="1" holds="0" measure="0.014" measure_error="0" time="0.412"/>
        <pc:node type="PARALLEL_REGION" name="" file="ssor.f" line="120" argument="0" phase="0" holds="0" measure="0.015" measure_error="0" time="0.41"/>
        <pc:node type="WORKSHARE_DO" name="" file="ssor.f" line="221" argument="0" phase="0" holds="0" measure="0.019" measure_error="0" time="0.062"/>
        <pc:node type="DATA_STRUCTURE" name="u" scope="COMMON cvar" file="ssor.f" line="4" argument="0" phase="0" holds="1" measure="0.031" measure_error="0"/>
      </pc:path>
    </addInfo>
  </property>
  <property cluster="false" ID="5">
    <name>LC3DMissRate</name>
    <context FileID="3" FileName="blts.f" RFL="4" Config="1x4" Region="DATA_STRUCTURE" RegionId="3-4">
      <execObj process="0" thread="0"/>
    </context>
    <severity>0.43</severity>
    <confidence>1.00</confidence>
    <addInfo>
      <Rate>0.025</Rate>
      <TimeShare>0.17233009708737865</TimeShare>
      <EstStallShare>0.02024878640776699</EstStallShare>
      <pc:figures property="LC3DMissRate" file="memory.asl" line="41" number="5" severity="0.0017749999999999999" severity_is_time="1" severity_is_index="1" severity_share="0.004308252427184466" severity_max_share="0.004308252427184466" measure="0.025" confidence="1" time_share="0.17233009708737865" est_stall_share="0.02024878640776699" est_stall_low_share="0.010124393203883496" est_stall_high_share="0.030373179611650487" kind="stream" severity_error="0" measure_error="0" est_stall_error="0" coverage="1" unwarmed="0" scalar="0" all_callers="0" over_processes="0" why="v is read and written once per sweep in steps of one element" advice="fuse the sweep with its neighbour, or block over k, so that a plane of rsd stays in the cache." rank_figures="0" figures_rank="0" about="memory" first_line="0" last_line="0" place_line="91" problem="3" processes="1" ranks="0"/>
      <pc:path>
        <pc:node type="USER_REGION" name="" file="ssor.f" line="109" argument="0" phase="1" holds="1" measure="0.038" measure_error="0" time="0.412"/>
        <pc:node type="PARALLEL_REGION" name="" file="ssor.f" line="120" argument="0" phase="0" holds="1" measure="0.038" measure_error="0" time="0.41"/>
        <pc:node type="LOOP_REGION" name="" file="ssor.f" line="149" argument="0" phase="0" holds="1" measure="0.037" measure_error="0" time="0.0923"/>
        <pc:node type="CALL_REGION" name="blts" file="ssor.f" line="165" argument="0" phase="0" holds="1" measure="0.052" measure_error="0" time="0.07171"/>
        <pc:node type="SUB_REGION" name="blts" file="blts.f" line="4" argument="0" phase="0" holds="1" measure="0.052" measure_error="0" time="0.07171"/>
        <pc:node type="WORKSHARE_DO" name="" file="blts.f" line="75" argument="0" phase="0" holds="1" measure="0.055" measure_error="0" time="0.071"/>
        <pc:node type="DATA_STRUCTURE" name="v" alias_of="rsd" scope="COMMON cvar" file="blts.f" line="4" argument="0" phase="0" holds="1" measure="0.025" measure_error="0"/>
      </pc:path>
      <pc:line line="91" first_misses="700000" last_misses="200000"/>
      <pc:line line="84" first_misses="900000" last_misses="150000"/>
      <pc:line line="0" first_misses="10000" last_misses="5000"/>
    </addInfo>
  </property>
  <property cluster="false" ID="5">
    <name>LC3DMissRate</name>
    <context FileID="4" FileName="jacld.f" RFL="5" Config="1x4" Region="DATA_STRUCTURE" RegionId="4-5">
      <execObj process="0" thread="0"/>
    </context>
    <severity>0.19</severity>
    <confidence>1.00</confidence>
    <addInfo>
      <TimeShare>0.12135922330097089</TimeShare>
      <pc:figures property="LC3DMissRate" file="memory.asl" line="41" number="5" severity_is_time="1" severity_is_index="1" severity_share="0.0019" confidence="1" time_share="0.12135922330097089" kind="stream" severity_error="0" measure_error="0" est_stall_error="0" coverage="1" unwarmed="1" scalar="0" all_callers="1" over_processes="1" rank_figures="0" figures_rank="0" about="memory" first_line="0" last_line="0" place_line="0" problem="5" processes="1" ranks="0"/>
      <pc:path>
        <pc:node type="USER_REGION" name="" file="ssor.f" line="109" argument="0" phase="1" holds="1" measure="0.038" measure_error="0" time="0.412"/>
        <pc:node type="PARALLEL_REGION" name="" file="ssor.f" line="120" argument="0" phase="0" holds="1" measure="0.038" measure_error="0" time="0.41"/>
        <pc:node type="LOOP_REGION" name="" file="ssor.f" line="149" argument="0" phase="0" holds="1" measure="0.037" measure_error="0" time="0.092"/>
        <pc:node type="CALL_REGION" name="jacld" file="ssor.f" line="156" argument="0" phase="0" holds="1" measure="0.03" measure_error="0" time="0.051"/>
        <pc:node type="SUB_REGION" name="jacld" file="jacld.f" line="5" argument="0" phase="0" holds="1" measure="0.03" measure_error="0" time="0.051"/>
        <pc:node type="WORKSHARE_DO" name="" file="jacld.f" line="39" argument="0" phase="0" holds="1" measure="0.04" measure_error="0" time="0.05"/>
        <pc:node type="DATA_STRUCTURE" name="u" scope="COMMON cvar" file="jacld.f" line="5" argument="0" phase="0" holds="1" measure_error="0"/>
      </pc:path>
    </addInfo>
  </property>
  <property cluster="false" ID="5">
    <name>LC3DMissRate</name>
    <context FileID="2" FileName="ssor.f" RFL="4" Config="1x4" Region="DATA_STRUCTURE" RegionId="2-4">
      <execObj process="0" thread="0"/>
    </context>
    <severity>0.15</severity>
    <confidence>1.00</confidence>
    <addInfo>
      <Rate>0.029</Rate>
      <TimeShare>0.05097087378640777</TimeShare>
      <EstStallShare>0.0069473300970873805</EstStallShare>
      <pc:figures property="LC3DMissRate" file="memory.asl" line="41" number="5" severity="0.0006090000000000001" severity_is_time="1" severity_is_index="1" severity_share="0.0014781553398058255" severity_max_share="0.0014781553398058255" measure="0.029" confidence="1" time_share="0.05097087378640777" est_stall_share="0.0069473300970873805" est_stall_low_share="0.0034736650485436902" est_stall_high_share="0.01042099514563107" kind="stream" severity_error="0" measure_error="0" est_stall_error="0" coverage="1" unwarmed="0" scalar="0" all_callers="0" over_processes="0" rank_figures="0" figures_rank="0" about="memory" first_line="0" last_line="0" place_line="0" problem="4" processes="1" ranks="0"/>
      <pc:path>
        <pc:node type="USER_REGION" name="" file="ssor.f" line="109" argument="0" phase="1" holds="1" measure="0.038" measure_error="0" time="0.412"/>
        <pc:node type="PARALLEL_REGION" name="" file="ssor.f" line="120" argument="0" phase="0" holds="1" measure="0.038" measure_error="0" time="0.41"/>
        <pc:node type="WORKSHARE_DO" name="" file="ssor.f" line="126" argument="0" phase="0" holds="1" measure="0.029" measure_error="0" time="0.021"/>
        <pc:node type="DATA_STRUCTURE" name="rsd" scope="COMMON cvar" file="ssor.f" line="4" argument="0" phase="0" holds="1" measure="0.029" measure_error="0"/>
      </pc:path>
    </addInfo>
  </property>
  <property cluster="false" ID="6">
    <name>LC3DReadMissRate</name>
    <context FileID="2" FileName="ssor.f" RFL="4" Config="1x4" Region="DATA_STRUCTURE" RegionId="2-4">
      <execObj process="0" thread="0"/>
    </context>
    <severity>0.15</severity>
    <confidence>1.00</confidence>
    <addInfo>
      <Rate>0.029</Rate>
      <TimeShare>0.05097087378640777</TimeShare>
      <EstStallShare>0.0069473300970873805</EstStallShare>
      <pc:figures property="LC3DReadMissRate" refines="LC3DMissRate" file="memory.asl" line="52" number="6" severity="0.0006090000000000001" severity_is_time="1" severity_is_index="1" severity_share="0.0014781553398058255" severity_max_share="0.0014781553398058255" measure="0.029" confidence="1" time_share="0.05097087378640777" est_stall_share="0.0069473300970873805" est_stall_low_share="0.0034736650485436902" est_stall_high_share="0.01042099514563107" own_stall_share="0" own_stall_low_share="0" own_stall_high_share="0" kind="stream" severity_error="0" measure_error="0" est_stall_error="0" coverage="1" unwarmed="0" scalar="0" all_callers="0" over_processes="0" rank_figures="0" figures_rank="0" about="memory" first_line="0" last_line="0" place_line="0" problem="4" processes="1" ranks="0"/>
      <pc:path>
        <pc:node type="USER_REGION" name="" file="ssor.f" line="109" argument="0" phase="1" holds="0" measure="0.014" measure_error="0" time="0.412"/>
        <pc:node type="PARALLEL_REGION" name="" file="ssor.f" line="120" argument="0" phase="0" holds="0" measure="0.015" measure_error="0" time="0.41"/>
        <pc:node type="WORKSHARE_DO" name="" file="ssor.f" line="126" argument="0" phase="0" holds="1" measure="0.029" measure_error="0" time="0.021"/>
        <pc:node type="DATA_STRUCTURE" name="rsd" scope="COMMON cvar" file="ssor.f" line="4" argument="0" phase="0" holds="1" measure="0.029" measure_error="0"/>
      </pc:path>
    </addInfo>
  </property>
  <pc:report version="0.1.0" command="./lu.A" directory="examples/lu" executable="./lu.A" when="1205424000" elapsed="5.62" nprocs="1" nthreads="4" hosts="0" phase_choice="the innermost loop that contains line 111" phase_time="0.412" phase_executions="250" executions_used="9" experiments="6" runs="0" strategy="share" machine="itanium2: Itanium 2, 1.3 GHz, L2 256 KiB, L3 3 MiB" machine_source="given with --machine" counts_source="sim: simulated by the machine model, every access (array refs)" slowdown_limited="0" times_source="processor time and waits: median of 5 clean executions on this host" costs_when="0" costs_loaded="0" costs_varied="0" stall_cycles="80000000" rank_by_stall="0" thread_rows_left_out="0">
    <pc:phase type="LOOP_REGION" name="" file="ssor.f" line="109" argument="0" phase="1" holds="1" measure="0.038" measure_error="0" time="0.412" cpu_time="1.38" wall_time="0.731" time_spread="0.042" time_least="1.31" time_most="2.48" unlike="shares are of execution 8; its times are those of executions 2, 4 and 6, of its kind" others_share="0.31" locks="0"/>
    <pc:note>The host's last level (480 MiB) is not plausible; the machine model was given.</pc:note>
    <pc:note>2 phase executions were left out: they took part in no experiment.</pc:note>
    <pc:asked name="memory" set="memory" usual="1"/>
    <pc:problem number="1" key="? &gt; ? &gt; ?; rsd, u; stream" kind="stream" memory="1" file="ssor.f" line="221" share="0.06577718446601943" low="0.03288859223300972" high="0.09866577669902915" paths="0" saves="0.01157412983259063" saves_low="0.005787064916295315" saves_high="0.017361194748885946" saves_more="0" gain="1" tried="1" finding="2" place_line="0">
      <pc:structure finding="2" share="0.04385145631067962"/>
      <pc:structure finding="4" share="0.02192572815533981"/>
    </pc:problem>
    <pc:problem number="2" key="? &gt; ? &gt; ? &gt; ? &gt; ? &gt; ?; rsd; stream" kind="stream" memory="1" file="buts.f" line="75" share="0.05112961165048544" low="0.02556480582524272" high="0.07669441747572817" paths="0" saves="0.00624774178007949" saves_low="0.003123870890039745" saves_high="0.009371612670119236" saves_more="0" gain="1" tried="1" finding="3" place_line="0">
      <pc:structure finding="3" share="0.023671116504854373"/>
      <pc:line line="91" first_misses="700000" last_misses="200000"/>
      <pc:line line="84" first_misses="900000" last_misses="150000"/>
      <pc:line line="0" first_misses="10000" last_misses="5000"/>
    </pc:problem>
    <pc:problem number="3" key="? &gt; ? &gt; ? &gt; ? &gt; ? &gt; ?; rsd; stream #2" kind="stream" memory="1" file="blts.f" line="75" share="0.02024878640776699" low="0.010124393203883496" high="0.030373179611650487" paths="0" saves="0.005344453811875226" saves_low="0.002672226905937613" saves_high="0.008016680717812839" saves_more="0" gain="1" tried="1" finding="6" place_line="0">
      <pc:structure finding="6" share="0.02024878640776699"/>
      <pc:line line="91" first_misses="700000" last_misses="200000"/>
      <pc:line line="84" first_misses="900000" last_misses="150000"/>
      <pc:line line="0" first_misses="10000" last_misses="5000"/>
    </pc:problem>
    <pc:problem number="4" key="? &gt; ? &gt; ?; rsd; stream" kind="stream" memory="1" file="ssor.f" line="126" share="0.0069473300970873805" low="0.0034736650485436902" high="0.01042099514563107" paths="0" saves="0.0018336745754546553" saves_low="0.0009168372877273276" saves_high="0.002750511863181983" saves_more="0" gain="1" tried="1" finding="8" place_line="0">
      <pc:structure finding="8" share="0.0069473300970873805"/>
    </pc:problem>
    <pc:problem number="5" key="? &gt; ? &gt; ? &gt; ? &gt; ? &gt; ?; u; LC3DMissRate" kind="LC3DMissRate" memory="0" file="jacld.f" line="39" share="0.0019" paths="1" saves_more="0" gain="0" tried="1" finding="7" place_line="0">
      <pc:structure finding="7" share="0"/>
    </pc:problem>
    <pc:gain structure="rsd" scope="COMMON cvar" fix="pad" change="begins 1 line later (64 bytes)" least="12000000" most="12000000" time_share="0.025"/>
    <pc:gain structure="u" scope="COMMON cvar" fix="pad" change="begins 1 line later (64 bytes)" least="0" most="0" time_share="0"/>
    <pc:gain structure="rsd" scope="COMMON cvar" fix="pad" change="rows of 1320 bytes get 64 bytes more" least="-3000000" most="-3000000" time_share="-0.006"/>
    <pc:gain structure="rds" change="" reason="no structure of that name is accessed in the phase; there is rsd, u"/>
    <pc:gain structure="rsd" scope="COMMON cvar" fix="touch" change="" reason="the machine has one memory node"/>
    <pc:gain structure="rsd" scope="COMMON cvar" fix="hit" change="bound of all changes: it always hits" least="20000000" most="26000000" time_share="0.055"/>
    <pc:verified structure="frct" reason="the phase makes a system call (write), which a copy must not make" cold="0" one_cpu="0" unknown="0"/>
    <pc:verified structure="part" declared="ssor.f:9" cold="0" one_cpu="1" time="0.4" time_with="0.1" program_time="0.4" measured="0.75" measured_low="0.74" measured_high="0.76" estimated="0.3" estimated_low="0" estimated_high="0.94" unknown="0"/>
    <pc:verified structure="rsd" scope="COMMON cvar" declared="applu.incl:80" cold="0" one_cpu="0" time="0.412" time_with="0.296" program_time="0.409" measured="0.281" measured_low="0.27" measured_high="0.3" estimated="0.31" estimated_low="0.2" estimated_high="0.36" unknown="0"/>
    <pc:verified structure="u" scope="COMMON cvar" cold="1" one_cpu="0" time="0.412" time_with="0.4" program_time="0.5" measured="0.029" measured_low="-0.01" measured_high="0.04" unknown="0"/>
    <pc:trial action="malloc" structure="" verdict="gain" gain="0.964" low="0.963" high="0.965" cost="0.21" kept="0" time="0.0273" time_with="0.00098" time_before="0.0271" memory="12000000" wall="0" changed="0" pairs="8" executions="134" seed="629174060106"/>
    <pc:trial action="malloc" structure="rsd" verdict="refused" reason="other-malloc" library="libother.so.2" kept="1" wall="1" changed="1" pairs="0" executions="0" seed="1"/>
    <pc:ledger cause="named data structures" accesses="26100000" misses="1010000"/>
    <pc:ledger cause="thread stacks" accesses="412000" misses="120"/>
    <pc:ledger cause="heap without a name" accesses="0" misses="0"/>
    <pc:ledger cause="lost"/>
    <pc:thread region="ssor.f:ssor/loop 1" file="ssor.f" line="109" type="LOOP_REGION" order="0" process="0" thread="0" time="0.38" barrier_wait="0.01" mpi_wait="0" other_wait="0.002" est_stall="0.21" est_stall_low="0.1" est_stall_high="0.3" accesses="7000000" first_misses="400000" last_misses="260000"/>
    <pc:thread region="ssor.f:ssor/loop 1" file="ssor.f" line="109" type="LOOP_REGION" order="0" process="0" thread="1" time="0.34" barrier_wait="0.05" mpi_wait="0" other_wait="0" est_stall="0.2" est_stall_low="0.1" est_stall_high="0.3" accesses="6500000" first_misses="390000" last_misses="250000"/>
    <pc:thread region="ssor.f:ssor/loop 1" file="ssor.f" line="109" type="LOOP_REGION" order="0" process="0" thread="2" time="0.34" barrier_wait="0.05" mpi_wait="0" other_wait="0"/>
    <pc:thread region="ssor.f:ssor/loop 1/parallel 1" file="ssor.f" line="120" type="PARALLEL_REGION" order="1" process="0" thread="0" time="0.3" barrier_wait="0.01" mpi_wait="0" other_wait="0" est_stall="0.2" est_stall_low="0.1" est_stall_high="0.3" accesses="6000000" first_misses="380000" last_misses="240000"/>
    <pc:thread region="ssor.f:ssor/loop 1/parallel 1" file="ssor.f" line="120" type="PARALLEL_REGION" order="1" process="0" thread="1" time="0.29" barrier_wait="0.02" mpi_wait="0" other_wait="0" est_stall="0.2" est_stall_low="0.1" est_stall_high="0.3" accesses="6000000" first_misses="380000" last_misses="240000"/>
    <pc:tested property="LC2DMissRate" process="0" outcome="false" reason="rate 0.012 &lt;= 0.05">
      <pc:node type="PARALLEL_REGION" name="" file="ssor.f" line="120" argument="0" phase="0" holds="0" measure="0.012" measure_error="0" time="0.41"/>
    </pc:tested>
    <pc:tested property="LC2DMissRate" process="0" outcome="false" reason="rate 0.029 &lt;= 0.05">
      <pc:node type="WORKSHARE_DO" name="" file="ssor.f" line="126" argument="0" phase="0" holds="1" measure="0.029" measure_error="0" time="0.02"/>
    </pc:tested>
    <pc:tested property="LC3DReadMissRate" below="( WORKSHARE_DO, jacld.f, 39 )" process="0" outcome="undecided" reason="lc3_data_read_miss not measured">
      <pc:node type="DATA_STRUCTURE" name="u" scope="COMMON cvar" file="jacld.f" line="5" argument="0" phase="0" holds="1" measure_error="0"/>
    </pc:tested>
    <pc:tested property="LC3DReadMissRate" process="0" outcome="pruned" reason="0.4 % of phase time &lt; 1 %">
      <pc:node type="WORKSHARE_DO" name="" file="ssor.f" line="126" argument="0" phase="0" holds="1" measure="0.029" measure_error="0" time="0.02"/>
    </pc:tested>
  </pc:report>
</Experiment>
