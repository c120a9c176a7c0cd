
enum RegionType {
	UNKNOWN_REGION, MAIN_REGION, SUB_REGION, LOOP_REGION, CALL_REGION, IO_REGION, BARRIER_REGION,
	PARALLEL_REGION, SECTIONS_REGION, SECTION_REGION, SINGLE_REGION, CRITICAL_REGION,
	ATOMIC_REGION, ORDERED_REGION, MASTER_REGION, USER_REGION, WORKSHARE_REGION,
	WORKSHARE_SECTIONS, WORKSHARE_DO, TASK_REGION, DATA_STRUCTURE
};
enum Storage { UNKNOWN_STORAGE, STATIC, COMMON, MODULE, HEAP, STACK, MAPPED };
class Node {
	string name;                    
};
class Process {
	int rank;                       
	Node node;
};
class Thread {
	int number;                     
	Process process;
};
class Region {
	string name;                    
	string file;
	int line;                       
	RegionType type;
	Region parent;                  
};
class DataStructure {
	string name;                    
	string file;
	int line;                       
	float size [B];                 
	float element [B];              
	Storage storage;
};
class SeqPerf {
	Region region;
	Process process;
	float exec_time [s];            
	float cpu_time [s];             
	float phase_time [s];           
	float calls [1];                
	float read_access [1];          
	float write_access [1];         
	float memory_access [1];        
	float bytes_accessed [B];       
	float lc1_data_read_miss [1];
	float lc1_data_write_miss [1];
	float lc1_data_miss [1];
	float lc2_data_read_miss [1];
	float lc2_data_write_miss [1];
	float lc2_data_miss [1];
	float lc3_data_read_miss [1];
	float lc3_data_wri