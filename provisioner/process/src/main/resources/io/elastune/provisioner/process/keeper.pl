# Runs a command, and ends when no process is left that descends from it, with its exit code. Whatever
# loses its parent becomes a child of this process (PR_SET_CHILD_SUBREAPER): a process may leave its
# session, its group and its environment, but not its ancestors.
#
#   perl -e SOURCE PRCTL STATUS COMMAND...
#
# PRCTL is the number of the system call. If processes are left when the command ends, its exit code is
# written to the file STATUS. Signals do not end this process: what it keeps would be lost.
my ($prctl, $status, @command) = @ARGV;
delete $ENV{ELASTUNE_KEEPER};
if (syscall($prctl + 0, 36, 1, 0, 0, 0) != 0) { exec { $command[0] } @command; exit 127 }
$SIG{$_} = sub { } for qw(TERM INT HUP QUIT USR1 USR2 ALRM PIPE);
my $worker = fork;
exit 126 unless defined $worker;
if (!$worker) { exec { $command[0] } @command; exit 127 }
open STDIN, '<', '/dev/null';
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';
my ($code, $told);
for (;;) {
  my $block = !defined $code || $told;
  my $ended = waitpid(-1, $block ? 0 : 1);
  if ($ended == -1) {
    next if $! == 4;    # a signal
    last;
  }
  if ($ended == $worker) { $code = $? & 127 ? 128 + ($? & 127) : $? >> 8 }
  if ($ended == 0 && open my $file, '>', "$status.part") {
    print $file $code;
    close $file;
    rename "$status.part", $status;
    $told = 1;
  }
  elsif ($ended == 0) { $told = 1 }
}
exit $code;
