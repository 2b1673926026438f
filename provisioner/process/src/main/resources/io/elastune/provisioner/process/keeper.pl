# Runs a command, and ends when no process is left that descends from it, with its exit code. Whatever
# loses its parent becomes a child of this process (PR_SET_CHILD_SUBREAPER): a process may leave its
# session, its group and its environment, but not its ancestors.
#
#   perl -e SOURCE PRCTL PRLIMIT MARK STATUS COMMAND...
#
# PRCTL and PRLIMIT are the numbers of the system calls. MARK becomes the limit of file locks of the command,
# which Linux does not use: all that descends from it inherits this mark. The exit code of the command is written to the file STATUS,
# also if processes are left. Signals do not end this process: what it keeps would be lost. There are two
# of it, the second one in the first: if the second one is killed, the first one gets what that has kept,
# kills it, and ends without STATUS.
my ($prctl, $prlimit, $mark, $status, @command) = @ARGV;
delete $ENV{ELASTUNE_KEEPER};

sub run {
  my $limits = pack 'QQ', $mark, $mark;
  syscall($prlimit + 0, 0, 10, $limits, 0) if $mark;
  exec { $command[0] } @command;
  exit 127;
}

run if syscall($prctl + 0, 36, 1, 0, 0, 0) != 0;
$SIG{$_} = sub { } for qw(TERM INT HUP QUIT USR1 USR2 ALRM PIPE);

sub quiet {
  open STDIN, '<', '/dev/null';
  open STDOUT, '>', '/dev/null';
  open STDERR, '>', '/dev/null';
}

# The command may have put a pipe there, which would wait: the file is new (O_WRONLY, O_CREAT, O_EXCL).
sub record {
  unlink "$status.part";
  if (sysopen my $file, "$status.part", 0301, 0600) {
    print $file $_[0];
    close $file;
    rename "$status.part", $status;
  }
}

sub children {
  my @found;
  for my $stat (glob '/proc/[0-9]*/stat') {
    open my $file, '<', $stat or next;
    my $line = <$file> // next;
    push @found, $1 if $line =~ /^(\d+) .*\) . (\d+) /s && $2 == $$;
  }
  return @found;
}

my $second = fork;
exit 126 unless defined $second;
if ($second) {
  quiet;
  my $result;
  for (;;) {
    my $ended = waitpid(-1, defined $result && $result & 127 ? 1 : 0);
    if ($ended == -1) {
      next if $! == 4;    # a signal
      last;
    }
    $result = $? if $ended == $second;
    if ($ended == 0) {    # children of a keeper that was killed
      kill 'KILL', children;
      select undef, undef, undef, 0.01;
    }
  }
  exit($result & 127 ? 128 + ($result & 127) : $result >> 8);
}
syscall($prctl + 0, 36, 1, 0, 0, 0);
my $worker = fork;
exit 126 unless defined $worker;
run unless $worker;
quiet;
my $code;
for (;;) {
  my $ended = waitpid(-1, 0);
  if ($ended == -1) {
    next if $! == 4;
    last;
  }
  if ($ended == $worker) {
    $code = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    record $code;
  }
}
exit $code;
