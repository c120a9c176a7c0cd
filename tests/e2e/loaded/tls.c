/* Takes static thread-local storage, of which a process has little left for objects loaded late. */
__thread char block[SIZE] __attribute__((tls_model("initial-exec")));

char *block_address(void)
{
	return block;
}
