@echo off
rem Runs an unpacked release of Tidemark on Windows with a Java from 21 on: TIDEMARK_JAVA_HOME, JAVA_HOME, or the one on
rem the path. In a source tree, build first: mvnw -Dmaven.test.skip=true package
setlocal
set "root=%~dp0"
set "jar="
pushd "%root%"
for %%f in (tidemark-*.jar target\tidemark-*.jar) do call :choose "%%~ff"
popd
if not defined jar (
  echo tidemark: not built yet; run: mvnw -Dmaven.test.skip=true package 1>&2
  exit /b 3
)

set "java="
if defined TIDEMARK_JAVA_HOME call :try "%TIDEMARK_JAVA_HOME%\bin\java"
if not defined java if defined JAVA_HOME call :try "%JAVA_HOME%\bin\java"
if not defined java call :try java
if not defined java (
  echo tidemark: no Java 21 or newer found; install one, or set TIDEMARK_JAVA_HOME to its folder 1>&2
  exit /b 3
)

rem Commands that end soon are not worth an optimizing compiler or threads of a collector.
set "tuned=-XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=4 -XX:+UseSerialGC"
for %%c in (run simulate audit rebuild bench) do if "%~1"=="%%c" set "tuned=-XX:+ExitOnOutOfMemoryError"
if "%~1 %~2"=="rules backtest" set "tuned=-XX:+ExitOnOutOfMemoryError"
if "%~1"=="demo" set "tuned=-XX:+ExitOnOutOfMemoryError -Xmx320m -XX:+UseG1GC -XX:G1HeapRegionSize=2m -XX:-G1UseAdaptiveIHOP -XX:InitiatingHeapOccupancyPercent=65"

rem The JVM makes the class archive itself at the end of the first command, and uses it from then on. Nobody waits for it
rem after a help, which loads too few classes for it.
set "training=-XX:+AutoCreateSharedArchive"
if "%~1"=="" set "training=-XX:-AutoCreateSharedArchive"
for %%h in (-h --help -V --version) do if "%~1"=="%%h" set "training=-XX:-AutoCreateSharedArchive"
for %%h in (-h --help) do if "%~2"=="%%h" set "training=-XX:-AutoCreateSharedArchive"
"%java%" -XX:+IgnoreUnrecognizedVMOptions --sun-misc-unsafe-memory-access=allow %training% ^
  "-XX:SharedArchiveFile=%TEMP%\tidemark.jsa" -Xshare:auto -Xlog:disable -Xlog:all=error:stderr -Xlog:cds=off:stderr ^
  -Xlog:cds+dynamic=off:stderr %tuned% %TIDEMARK_JAVA_OPTS% -jar "%jar%" %*
exit /b %errorlevel%

rem Takes a Java if it is 21 or newer.
:try
"%~1" -XshowSettings:properties -version 2>&1 | findstr /r /c:"java.specification.version = 2[1-9]" ^
  /c:"java.specification.version = [3-9][0-9]" >nul && set "java=%~1"
exit /b 0

rem Chooses the first jar that is neither of sources nor of tests.
:choose
set "name=%~n1"
if defined jar exit /b 0
if not "%name:-sources=%"=="%name%" exit /b 0
if not "%name:-tests=%"=="%name%" exit /b 0
if not "%name:-javadoc=%"=="%name%" exit /b 0
set "jar=%~1"
exit /b 0
